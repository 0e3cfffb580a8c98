import type { Found, Page, PageRequest, Scope } from '@quittance/projections'

const rowsAtOnce = 500

/** All rows of a read model that belong to a merchant in an environment, the newest first. */
export async function* everyRow<Row>(
  page: (request: PageRequest) => Promise<Page<Row>>,
  scope: Scope,
): AsyncGenerator<Found<Row>> {
  let request: PageRequest = { ...scope, limit: rowsAtOnce }
  for (;;) {
    const { rows, hasMore } = await page(request)
    yield* rows
    const last = rows.at(-1)
    if (!hasMore || last === undefined) return
    request = { ...request, startingAfter: last.id }
  }
}
