import type { Route } from '../../route.ts'

/** An operation as the reference tells of it. */
export type Words = {
  /** Its operation id, which generated clients use as the name of a function. */
  readonly name: string
  /** What it does beyond its summary: one sentence or several. */
  readonly description: string
  /** Bodies that the service accepts, by name. A test sends each of them. */
  readonly examples?: Readonly<Record<string, unknown>>
}

/** A section of the reference: the operations of one resource, by method and path as routes have them. */
export type Section = {
  readonly tag: string
  readonly description: string
  /** Paths under which the same operations are served as well, and the path to use instead. */
  readonly aliases?: Readonly<Record<`/${string}`, `/${string}`>>
  readonly operations: Readonly<Record<`${Route['method']} /${string}`, Words>>
}

/** An id as examples have it: a prefix such as `prod_`, and what stands for the rest. */
export const exampleId = (prefix: string): string => `${prefix}7nQe4Cw0XbDq1yLZs5Tt0u`

/** Stands in examples for what a wallet makes anew each time: an account, or a transaction that it has signed. */
export const exampleAccount = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
export const exampleTransaction = 'AAAAAgAAAAA/DDS/k60NmXHQTMyQ9wVRHIOKrZc0pKL7DXoD/H/omgAAAGQ='
