import { described } from '@quittance/client/wire'
import * as t from 'io-ts'
import { decodeFields } from './decode.ts'
import { invalid } from './errors.ts'
import { isRepeatable, nearestName } from './near-names.ts'

/** A parameter that a list has for other resources only. */
export const absent = described(
  new t.Type<null, null, unknown>('nothing', t.null.is, () => t.success(null), t.identity),
  'nothing',
  { not: {} },
)

/** A query parameter. A filter by an id is also taken without `_id`: that is its alias. */
export type Parameter = { readonly name: string; readonly codec: t.Mixed; readonly alias: string | null }

/** The parameters that a query's codec declares. */
export const parametersIn = (query: t.Mixed): ReadonlyArray<Parameter> => {
  if (!(query instanceof t.InterfaceType)) throw new Error(`${query.name} does not say which parameters there are`)
  const props: t.Props = query.props
  return Object.entries(props)
    .filter(([, codec]) => codec !== absent)
    .map(([name, codec]) => ({ name, codec, alias: name.endsWith('_id') ? name.slice(0, -'_id'.length) : null }))
}

/** Reads a request's query. Throws 400. */
export type QueryReader<A> = (query: unknown) => A

/**
 * Reads a query, and refuses the first parameter that nobody knows, that is repeated, that contradicts its alias, or that
 * is wrong. An unknown filter would otherwise find everybody's records.
 */
export const strictReader = <C extends t.Mixed>(codec: C): QueryReader<t.TypeOf<C>> => {
  const parameters = parametersIn(codec)
  const known = parameters.flatMap(({ name, alias }) => (alias === null ? [name] : [name, alias]))
  return (query) => {
    const given = entriesOf(query)
    const unknown = given.find(([name]) => !known.includes(name))
    if (unknown !== undefined) throw unknownParameter(unknown[0], known)
    const texts = new Map(given.map(([name, value]) => [name, onlyOne(name, value)]))
    const names = new Map(parameters.map((each) => [each.name, nameGiven(each, texts)]))
    const fields = [...names].map(([name, given]) => [name, texts.get(given)])
    return decodeFields(codec, Object.fromEntries(fields), (name) => names.get(name) ?? name)
  }
}

/** Reads a page's query, and ignores others: what shows links to people adds parameters of its own to them. */
export const lenientReader = <C extends t.Mixed>(codec: C): QueryReader<t.TypeOf<C>> => {
  const known = parametersIn(codec).map(({ name }) => name)
  return (query) => {
    const given = entriesOf(query).filter(([name]) => known.includes(name))
    return decodeFields(codec, Object.fromEntries(given.map(([name, value]) => [name, onlyOne(name, value)])))
  }
}

/** By which of its names a parameter is given. */
const nameGiven = ({ name, alias }: Parameter, texts: ReadonlyMap<string, string>): string => {
  const other = alias === null ? undefined : texts.get(alias)
  if (alias === null || other === undefined) return name
  if ((texts.get(name) ?? other) !== other) throw invalid(name, `"${alias}" and "${name}" mean the same: give one`)
  return alias
}

/** The text of a parameter; empty without one. */
export const textOf = (query: unknown, parameter: string): string => {
  const value = entriesOf(query).find(([name]) => name === parameter)?.[1]
  return typeof value === 'string' ? value : ''
}

const entriesOf = (query: unknown): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(typeof query === 'object' && query !== null ? query : {})

const onlyOne = (name: string, value: unknown): string => {
  if (typeof value !== 'string') throw invalid(name, `"${name}" must be given once`)
  return value
}

const unknownParameter = (name: string, known: ReadonlyArray<string>) => {
  const param = isRepeatable(name) ? name : 'query'
  const said = isRepeatable(name) ? `There is no query parameter "${name}" here` : 'A query parameter is unknown here'
  if (known.length === 0) return invalid(param, `${said}: there are none`)
  const meant = nearestName(name, known)
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`
  return invalid(param, `${said}.${hint} Known are: ${known.join(', ')}`)
}
