import { printable } from './printing.ts'

/** JSON for people: a line for each value, indented by what it belongs to. */
export const valueLines = (value: object, indent = ''): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([field, each]: [string, unknown]) => {
    const name = Array.isArray(value) ? '-' : `${field}:`
    if (typeof each !== 'object' || each === null) return [printable(`${indent}${name} ${each ?? 'none'}`)]
    if (Object.keys(each).length === 0) return [`${indent}${name} none`]
    const inner = valueLines(each, `${indent}  `)
    const [first = '', ...others] = inner
    return Array.isArray(value) ? [`${indent}- ${first.trimStart()}`, ...others] : [`${indent}${name}`, ...inner]
  })
