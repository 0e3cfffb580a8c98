import type { UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { MAJOR_CURRENCIES } from '../quote.ts'
import type { RateSource } from '../source.ts'
import { type DocumentFetcher, documentFetcher, type SourceFailure } from './fetch-document.ts'
import { keptDocument } from './kept-document.ts'
import { documentsOf, type RatesConfig } from './rates-config.ts'

/** `majors`: the currencies whose sources must agree within 2 % instead of 5 %. */
export type LiveRates = RateSource & {
  readonly majors: ReadonlySet<string>
  /** Whether any of the markets covers a pair. */
  readonly covers: (pair: string) => boolean
  readonly close: () => Promise<void>
}

/**
 * Observes all configured markets at once. An unavailable market is missing, or has its last observations; the caller
 * judges whether that is enough for a rate. `onFetched` hears of each attempt to read a document; null means success.
 */
export const liveRates = (
  { sources, majors }: RatesConfig,
  now: () => UnixMs,
  onFetched: (document: string, failure: SourceFailure | null) => void,
  fetcher: DocumentFetcher = documentFetcher(),
): LiveRates => {
  const documents = sources.flatMap(documentsOf).map((document) => ({
    covers: document.covers,
    observe: keptDocument(document, fetcher, now, (failure) => onFetched(document.name, failure)),
  }))
  return {
    observe: (pairs) => async () => {
      const covering = documents.filter(({ covers }) => pairs.some(covers))
      const observed = await Promise.all(covering.map(({ observe }) => observe()))
      return E.right(observed.flat().filter(({ pair }) => pairs.includes(pair)))
    },
    covers: (pair) => documents.some(({ covers }) => covers(pair)),
    majors: majors === undefined ? MAJOR_CURRENCIES : new Set<string>(majors),
    close: fetcher.close,
  }
}
