import type { Found, Page, PageRequest, Scope } from '@quittance/projections'

const rowsAtOnce = 500

/** All rows of a read model that belong to a merchant in an environment, the newest first. */
export function* everyRow<Row>(page: (request: PageRequest) => Page<Row>, scope: Scope): Generator<Found<Row>> {
  let request: PageRequest = { ...scope, limit: rowsAtOnce }
  for (;;) {
    const { rows, hasMore } = page(request)
    yield* rows
    const last = rows.at(-1)
    if (!hasMore || last === undefined) return
    request = { ...request, startingAfter: last.id }
  }
}
