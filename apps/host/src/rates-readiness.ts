import type { RateTrouble } from '@quittance/ledger'
import type { Readiness } from './readiness.ts'

/**
 * How the sources of rates fare. Their troubles make nothing unready: issued quotes stand, and what is priced in an asset
 * is sold. `credits_waiting` counts the payments that nobody can judge for want of a rate.
 */
export type RatesReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly troubles: ReadonlyArray<{ readonly subject: string; readonly reason: string; readonly since: string }>
  readonly credits_waiting: number
}

/** The readiness of all else, with that of the rates beside it. */
export const withRates =
  (readiness: () => Promise<Readiness>, troubles: () => ReadonlyArray<RateTrouble>, creditsWaiting: () => number) =>
  async (): Promise<Readiness & { readonly rates: RatesReadiness }> => {
    const [known, waiting] = [troubles(), creditsWaiting()]
    const rates: RatesReadiness = {
      status: known.length === 0 && waiting === 0 ? 'ok' : 'degraded',
      troubles: known.map(({ since, ...trouble }) => ({ ...trouble, since: new Date(since).toISOString() })),
      credits_waiting: waiting,
    }
    return { ...(await readiness()), rates }
  }
