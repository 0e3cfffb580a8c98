import type { PriceChange } from '../price-change/index.ts'
import type { Product } from '../product/index.ts'
import type { Behind } from './behind.ts'
import { patchTo } from './patch.ts'

type Explain = Behind<typeof Product>
type Event = Parameters<Explain>[1]
type Update = Extract<ReturnType<Explain>[number], { readonly type: 'UpdateProduct' }>

export const behindProduct: Explain = (state, event, next) => {
  if (event.type === 'ProductCreated') return [{ type: 'CreateProduct', details: event.data }]
  if (state.status === 'absent') return []
  // One update records up to three events.
  const updates: Array<Update> = []
  for (const each of [event, ...next].slice(0, 3)) {
    const change = changeOf(each, state)
    if (change === null) break
    updates.push({ type: 'UpdateProduct', ...updates.at(-1), ...change })
  }
  return updates
}

const changeOf = (
  { type, data }: Event,
  { details }: Exclude<Parameters<Explain>[0], { readonly status: 'absent' }>,
): Omit<Update, 'type'> | null => {
  switch (type) {
    case 'ProductDetailsChanged': {
      const { metadata, ...changed } = data
      return metadata === undefined ? changed : { ...changed, metadata: patchTo(details.metadata, metadata) }
    }
    case 'ProductRepriced':
      return { cents: data.cents, ...(data.recurringPeriod === null ? {} : { recurringPeriod: data.recurringPeriod }) }
    case 'ProductArchived':
      return { status: 'archived' }
    case 'ProductRestored':
      return { status: 'active' }
    case 'ProductCreated':
      return null
  }
}

export const behindPriceChange: Behind<typeof PriceChange> = (_, { type, data }) => {
  switch (type) {
    case 'PriceChangeScheduled':
      return [{ type: 'SchedulePriceChange', details: data }]
    case 'PriceChangeNoticed':
      return [{ type: 'RecordNotices', ...data }]
    case 'PriceChangeCanceled':
      return [{ type: 'CancelPriceChange', ...data }]
    case 'PriceChangeWithdrawn':
      return [{ type: 'RecordWithdrawal', ...data }]
  }
}
