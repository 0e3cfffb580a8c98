import type * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { Count, UnixMs } from '../shared/units.ts'
import { PriceChangeDetails, type PriceChangeEvent } from './events.ts'

/** `noticed`: how many subscriptions have heard of it, once all have. */
const scheduled = { details: PriceChangeDetails, noticed: orNull(Count) }
const canceled = { ...scheduled, canceledAt: UnixMs }
/** `withdrawing`: canceled, while subscriptions may still wait for it. */
export const PriceChangeRecord = byStatus({ scheduled, withdrawing: canceled, canceled }, 'PriceChangeRecord')
export type PriceChangeRecord = t.TypeOf<typeof PriceChangeRecord>
/** What the events of its stream say about a price change. */
export type PriceChangeState = { readonly status: 'absent' } | PriceChangeRecord

export const initial: PriceChangeState = { status: 'absent' }

export const evolve = (state: PriceChangeState, { type, data }: PriceChangeEvent): PriceChangeState => {
  if (type === 'PriceChangeScheduled') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'scheduled', details: data, noticed: null }
  }
  if (state.status === 'absent') throw new CorruptStream(type, state.status)
  switch (type) {
    case 'PriceChangeNoticed':
      return { ...state, noticed: data.subscriptions }
    case 'PriceChangeCanceled':
      return { ...state, status: 'withdrawing', canceledAt: data.at }
    case 'PriceChangeWithdrawn':
      if (state.status === 'scheduled') throw new CorruptStream(type, state.status)
      return { ...state, status: 'canceled' }
  }
}
