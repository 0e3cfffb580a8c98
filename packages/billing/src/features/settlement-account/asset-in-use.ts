import { type AssetId, waitingPriceChange } from '@quittance/domain'
import type { Found, Page, PageRequest, ReadModels, Scope, SubscriptionRow } from '@quittance/projections'

/** Whether a subscription with a status may be charged again. */
const mayBeCharged: Readonly<Record<SubscriptionRow['status'], boolean>> = {
  trialing: true,
  active: true,
  past_due: true,
  overdue: true,
  paused: true,
  canceled: false,
}
const chargedStatuses = Object.entries(mayBeCharged).flatMap(([status, isCharged]) => (isCharged ? [status] : []))

const rowsAtOnce = 100

/**
 * Whether a merchant may still receive an asset, or has to send it: an open checkout or a subscription is paid in it,
 * or a refund of it is pending. Reads page by page until one is found, and yields between pages.
 */
export const isAssetInUse = async (
  { checkouts, subscriptions, refunds }: Pick<ReadModels, 'checkouts' | 'subscriptions' | 'refunds'>,
  scope: Scope,
  assetId: AssetId,
): Promise<boolean> => {
  const { merchantId, environment } = scope
  const of = (status: string) => ({ merchantId, environment, status, limit: rowsAtOnce })
  if (await isAny(checkouts.page, of('open'), ({ row }) => row.details.assetId === assetId)) return true
  if (await isAny(refunds.page, of('pending'), ({ row }) => row.details.assetId === assetId)) return true
  for (const status of chargedStatuses)
    if (await isAny(subscriptions.page, of(status), ({ row }) => isCollected(row, assetId))) return true
  return false
}

/** Whether a subscription is charged in an asset, or will be. */
const isCollected = (row: SubscriptionRow, assetId: AssetId): boolean =>
  row.details.assetId === assetId || waitingPriceChange(row)?.assetId === assetId

const isAny = async <Row>(
  page: (request: PageRequest) => Promise<Page<Row>>,
  first: PageRequest,
  isThis: (found: Found<Row>) => boolean,
): Promise<boolean> => {
  let request = first
  for (;;) {
    const { rows, hasMore } = await page(request)
    if (rows.some(isThis)) return true
    const last = rows.at(-1)
    if (!hasMore || last === undefined) return false
    request = { ...first, startingAfter: last.id }
    await new Promise((resolve) => setImmediate(resolve))
  }
}
