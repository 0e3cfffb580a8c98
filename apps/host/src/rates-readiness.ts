import type { RateTrouble } from '@quittance/ledger'

/**
 * The troubles of rate sources. They do not make the service unready: quotes stay valid, and products priced in an
 * asset are sold. `credits_waiting` counts the incoming payments that wait for a rate; null where the store
 * does not answer.
 */
export type RatesReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly troubles: ReadonlyArray<{ readonly subject: string; readonly reason: string; readonly since: string }>
  readonly credits_waiting: number | null
}

export const ratesReadiness = (
  troubles: ReadonlyArray<RateTrouble>,
  creditsWaiting: number | null,
): RatesReadiness => ({
  status: troubles.length === 0 && (creditsWaiting ?? 0) === 0 ? 'ok' : 'degraded',
  troubles: troubles.map(({ since, ...trouble }) => ({ ...trouble, since: new Date(since).toISOString() })),
  credits_waiting: creditsWaiting,
})
