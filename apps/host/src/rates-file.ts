import { readFileSync } from 'node:fs'
import { type RatesConfig, ratesConfigFrom } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

/** Reads a file of rate sources. Errors: one sentence for each problem. */
export const readRatesFile = (path: string): E.Either<ReadonlyArray<string>, RatesConfig> =>
  pipe(
    E.tryCatch(
      () => readFileSync(path, 'utf8'),
      () => [`there is no file ${path} that can be read`],
    ),
    E.chain((text) =>
      E.tryCatch(
        (): unknown => JSON.parse(text),
        () => ['it is no JSON'],
      ),
    ),
    E.chain(ratesConfigFrom),
  )
