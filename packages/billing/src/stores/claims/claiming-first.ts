import type { Alongside, EventStore, Sql } from '@quittance/event-store'
import { isStoreFailure, whenUnlocked } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'

/**
 * For a remote log, which has no SQL transaction to share: writes what goes alongside an append into a database before the
 * append. After a crash between the two, the claim stands and the log holds nothing, as a retry of the request expects; a
 * rejected command drops its claim either way. If that write is refused or fails, nothing is appended.
 */
export const claimingFirst = (store: EventStore, { run }: Sql): EventStore => {
  /** A command brings the same claim to each of its appends. */
  const written = new WeakSet<Alongside>()
  const write = async (alongside: Alongside): Promise<E.Either<unknown, void>> => {
    try {
      if (!written.has(alongside)) await whenUnlocked(() => run(alongside))
      written.add(alongside)
      return E.right(undefined)
    } catch (cause) {
      return E.left(cause)
    }
  }
  return {
    ...store,
    append: (stream, head, events, alongside) => async () => {
      const before = alongside === undefined ? E.right(undefined) : await write(alongside)
      if (E.isLeft(before)) {
        const cause = before.left
        return E.left({ _tag: isStoreFailure(cause) ? 'StoreUnavailable' : 'AppendRefused', cause })
      }
      return store.append(stream, head, events)()
    },
  }
}
