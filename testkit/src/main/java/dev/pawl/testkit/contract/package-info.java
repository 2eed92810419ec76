/**
 * What every store must do, as tests.
 *
 * <p>Reading order: {@link dev.pawl.testkit.contract.StoreContract} (extend it, say how the store
 * is opened, and every test runs against it), {@link
 * dev.pawl.testkit.contract.TransactionalStoreContract} (the same for a store with transactional
 * steps), then the areas, one file each, in the order {@code StoreContract} names them.
 *
 * <p>Sees {@code testkit} and what that sees. It must not name any one store.
 */
@NullMarked
package dev.pawl.testkit.contract;

import org.jspecify.annotations.NullMarked;
