import type { RateTrouble } from '@quittance/ledger'

/**
 * How the sources of rates fare. Their troubles make nothing unready: issued quotes stand, and products priced in an asset
 * are sold. `credits_waiting` counts the payments that cannot be judged without a rate.
 */
export type RatesReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly troubles: ReadonlyArray<{ readonly subject: string; readonly reason: string; readonly since: string }>
  readonly credits_waiting: number
}

export const ratesReadiness = (troubles: ReadonlyArray<RateTrouble>, creditsWaiting: number): RatesReadiness => ({
  status: troubles.length === 0 && creditsWaiting === 0 ? 'ok' : 'degraded',
  troubles: troubles.map(({ since, ...trouble }) => ({ ...trouble, since: new Date(since).toISOString() })),
  credits_waiting: creditsWaiting,
})
