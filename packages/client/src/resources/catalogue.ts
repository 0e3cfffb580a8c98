import * as t from 'io-ts'
import type { CallOptions, Connection } from '../connection.ts'
import { data } from '../response.ts'
import { Asset } from '../wire/index.ts'

/** Currencies and assets. Neither list has pages. */
export const catalogueOf = ({ ask }: Connection) => ({
  assets: (options?: CallOptions): Promise<ReadonlyArray<Asset>> =>
    ask({ method: 'GET', path: ['assets'], answer: data(t.readonlyArray(Asset)) }, options),
  /** ISO 4217 codes. */
  currencies: (options?: CallOptions): Promise<ReadonlyArray<string>> =>
    ask({ method: 'GET', path: ['currencies'], answer: data(t.readonlyArray(t.string)) }, options),
})
