/**
 * Blobs in tables, in chunks, whatever the dialect.
 *
 * <p>Reading order: {@link dev.pawl.store.sql.blob.ChunkedBlobs} (content cut into chunks and put
 * together again), {@link dev.pawl.store.sql.blob.BlobTables} (what a dialect must do for it). Sees
 * the engine's {@code blob} and {@code error}; never a driver.
 */
@NullMarked
package dev.pawl.store.sql.blob;

import org.jspecify.annotations.NullMarked;
