import { StrKey, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { RpcError } from './method.ts'
import { invalidParams } from './method.ts'

/** A filter for events. Types are comma-separated; topics are base64 XDR, `*` or, at the end, `**`. */
export const Filter = t.partial({
  type: t.string,
  contractIds: t.union([t.null, t.readonlyArray(t.string)]),
  topics: t.union([t.null, t.readonlyArray(t.readonlyArray(t.string))]),
})
type Filter = t.TypeOf<typeof Filter>

const maxFilters = 5
const maxContracts = 5
const maxTopics = 5
const maxSegments = 4
const types: ReadonlyArray<string> = ['contract', 'system', 'diagnostic']

const isScVal = (text: string): boolean => {
  try {
    xdr.ScVal.fromXdr(text, 'base64')
    return true
  } catch {
    return false
  }
}

const topicProblem = (segments: ReadonlyArray<string>): string | undefined => {
  const fixed = segments.at(-1) === '**' ? segments.slice(0, -1) : segments
  if (segments.length === 0) return 'topic must have at least one segment'
  if (fixed.length > maxSegments) return 'topic cannot have more than 4 segments'
  if (fixed.includes('**')) return "wildcard '**' is only allowed as the last segment"
  return fixed.every((each) => each === '*' || isScVal(each)) ? undefined : 'invalid topic segment'
}

const filterProblem = ({ type, contractIds, topics }: Filter): string | undefined => {
  if (type !== undefined && type !== '' && !type.split(',').every((each) => types.includes(each)))
    return 'filter type invalid: if set, type must be either "system", "contract" or "diagnostic"'
  if ((contractIds ?? []).length > maxContracts) return 'filter contract IDs limit exceeded'
  if (!(contractIds ?? []).every((each) => StrKey.isValidContract(each))) return 'contract ID invalid'
  if ((topics ?? []).length > maxTopics) return 'filter topics limit exceeded'
  return (topics ?? []).map(topicProblem).find((each) => each !== undefined)
}

/** The part of an event that filters match: topics in base64 XDR, the contract as `C…`. */
export type FilteredEvent = {
  readonly type: string
  readonly contractId: string
  readonly topics: ReadonlyArray<string>
}

const matchesTopic = (segments: ReadonlyArray<string>, topics: ReadonlyArray<string>): boolean => {
  const isOpen = segments.at(-1) === '**'
  const fixed = isOpen ? segments.slice(0, -1) : segments
  const fits = isOpen ? topics.length >= fixed.length : topics.length === fixed.length
  return fits && fixed.every((each, at) => each === '*' || each === topics[at])
}

const matches =
  ({ type, contractIds, topics }: Filter) =>
  (event: FilteredEvent): boolean =>
    (type === undefined || type === '' || type.split(',').includes(event.type)) &&
    ((contractIds ?? []).length === 0 || (contractIds ?? []).includes(event.contractId)) &&
    ((topics ?? []).length === 0 || (topics ?? []).some((segments) => matchesTopic(segments, event.topics)))

/** Builds a test for events that match any of the filters; without filters, every event matches. */
export const matcherOf = (filters: ReadonlyArray<Filter>): E.Either<RpcError, (event: FilteredEvent) => boolean> => {
  if (filters.length > maxFilters) return invalidParams('maximum 5 filters per request')
  const problems = filters.map(filterProblem)
  const at = problems.findIndex((each) => each !== undefined)
  if (at >= 0) return invalidParams(`filter ${at + 1} invalid: ${problems[at]}`)
  const matchers = filters.map(matches)
  return E.right((event) => matchers.length === 0 || matchers.some((each) => each(event)))
}
