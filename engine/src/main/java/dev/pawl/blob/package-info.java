/**
 * Blobs: content too large for a log, known by its SHA-256.
 *
 * <p>Reading order: {@link dev.pawl.blob.Blob} (how one refers to it), {@link
 * dev.pawl.blob.BlobStore} (where the content is), {@link dev.pawl.blob.BlobReferences} (which runs
 * need it), {@link dev.pawl.blob.Blobs} (both together, for programs; collects what nobody needs),
 * {@link dev.pawl.blob.Verified} (content that is checked while it is read), {@link
 * dev.pawl.blob.FileBlobs} (content in a directory). Stores bring implementations of their own.
 *
 * <p>A blob is written before the event that refers to it, so a log never refers to what is not
 * there. Sees {@code log} for the ids of runs, {@code json}, {@code time} and {@code error}.
 */
@NullMarked
package dev.pawl.blob;

import org.jspecify.annotations.NullMarked;
