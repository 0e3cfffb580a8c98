import * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, Connection } from '../connection.ts'
import { Asset } from '../wire/index.ts'

/** What can be sold for. Neither list has pages. */
export const catalogueOf = ({ ask }: Connection) => ({
  assets: (options?: CallOptions): Promise<ReadonlyArray<Asset>> =>
    ask({ method: 'GET', path: ['assets'], answer: data(t.readonlyArray(Asset)) }, options),
  /** ISO 4217 codes. */
  currencies: (options?: CallOptions): Promise<ReadonlyArray<string>> =>
    ask({ method: 'GET', path: ['currencies'], answer: data(t.readonlyArray(t.string)) }, options),
})
