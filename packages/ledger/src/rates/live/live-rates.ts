import type { UnixMs } from '@quittance/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { MAJOR_CURRENCIES } from '../quote.ts'
import type { RateSource } from '../source.ts'
import { type DocumentFetcher, documentFetcher, type SourceFailure } from './fetch-document.ts'
import { keptDocument } from './kept-document.ts'
import { documentsOf, type RatesConfig } from './rates-config.ts'

/** `majors`: the currencies whose sources must agree within 2 % instead of 5 %. */
export type LiveRates = RateSource & {
  readonly majors: ReadonlySet<string>
  /** Whether any of the markets speaks of a pair. */
  readonly covers: (pair: string) => boolean
  readonly close: () => Promise<void>
}

/**
 * What the configured markets say now, all asked at once. A market that cannot be had is missing from what is observed,
 * or has its last word there; whether that is enough for a rate is judged by who asks.
 * `told` hears how each asking for a document ended: null is well.
 */
export const liveRates = (
  { sources, majors }: RatesConfig,
  now: () => UnixMs,
  told: (document: string, failure: SourceFailure | null) => void,
  fetcher: DocumentFetcher = documentFetcher(),
): LiveRates => {
  const documents = sources.flatMap(documentsOf).map((document) => ({
    covers: document.covers,
    observe: keptDocument(document, fetcher, now, (failure) => told(document.name, failure)),
  }))
  return {
    observe: (pairs) => async () => {
      const asked = documents.filter(({ covers }) => pairs.some(covers))
      const observed = await Promise.all(asked.map(({ observe }) => observe()))
      return TE.right(observed.flat().filter(({ pair }) => pairs.includes(pair)))()
    },
    covers: (pair) => documents.some(({ covers }) => covers(pair)),
    majors: majors === undefined ? MAJOR_CURRENCIES : new Set<string>(majors),
    close: fetcher.close,
  }
}
