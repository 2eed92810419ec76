/**
 * The store's meaning in plain collections: the oracle of the tests, and what a user's unit test
 * runs on. Nothing survives the process. Sees {@code store} and what that sees.
 */
@NullMarked
package dev.pawl.store.memory;

import org.jspecify.annotations.NullMarked;
