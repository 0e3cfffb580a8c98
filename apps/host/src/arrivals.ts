import type { Arrival } from '@quittance/billing'

/** Tells listeners of each event that this process delivered. */
export type Arrivals = {
  readonly tell: (arrival: Arrival) => void
  readonly listen: (listener: (arrival: Arrival) => void) => void
}

export const openArrivals = (): Arrivals => {
  const listeners: Array<(arrival: Arrival) => void> = []
  return {
    tell: (arrival) => {
      for (const listener of listeners) listener(arrival)
    },
    listen: (listener) => void listeners.push(listener),
  }
}
