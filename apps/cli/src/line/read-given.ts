import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import type { Command, Given } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'

/** Reads what follows a command. Errors: what it does not take, what it needs, values that are empty or given twice. */
export const readGiven = (command: Command, args: ReadonlyArray<string>): E.Either<Complaint, Given> => {
  const { name, argument, options } = command
  const { tokens } = parseArgs({
    args: [...args],
    // Not strict: the words in which it would refuse are for programmers.
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([option, { placeholder }]) => [
        option,
        { type: placeholder === null ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  })
  const values = new Map<string, string>()
  for (const token of tokens) {
    const wrong = token.kind === 'option-terminator' ? null : take(command, values, token)
    if (wrong !== null) return E.left(misuse(wrong, name))
  }
  const missing = [
    ...(argument === null || values.has(argument.name) ? [] : [`<${argument.name}>`]),
    ...Object.entries(options)
      .filter(([option, { isRequired }]) => isRequired && !values.has(option))
      .map(([option, { placeholder }]) => `--${option} <${placeholder}>`),
  ]
  return missing.length > 0
    ? E.left(misuse(`${name} needs ${missing.join(' and ')}.`, name))
    : E.right(givenFrom(values))
}

type Token =
  | { readonly kind: 'positional'; readonly value: string }
  | {
      readonly kind: 'option'
      readonly name: string
      readonly rawName: string
      readonly value: string | undefined
      readonly inlineValue: boolean | undefined
    }

/** Puts a token's value among the others; what is wrong with it, or null. */
const take = ({ name, argument, options }: Command, values: Map<string, string>, token: Token): string | null => {
  if (token.kind === 'positional') {
    if (argument === null || values.has(argument.name)) return `${name} does not take ${token.value}.`
    if (token.value.trim() === '') return `<${argument.name}> is empty.`
    values.set(argument.name, token.value)
    return null
  }
  const { rawName, value, inlineValue } = token
  if (!Object.hasOwn(options, token.name)) {
    const known = [...Object.keys(options), 'json', 'help'].map((option) => `--${option}`).join(', ')
    return `${rawName} is no option of ${name}. There are: ${known}.`
  }
  if (values.has(token.name)) return `${rawName} is given twice.`
  if (options[token.name]?.placeholder === null) {
    if (value !== undefined) return `${rawName} takes no value.`
    values.set(token.name, 'set')
    return null
  }
  if (value === undefined) return `${rawName} needs a value.`
  if (value.trim() === '') return `${rawName} is empty.`
  if (inlineValue === false && value.startsWith('-')) {
    return `${rawName} needs a value; one that begins with a dash is written ${rawName}=${value}.`
  }
  values.set(token.name, value)
  return null
}

const givenFrom = (values: ReadonlyMap<string, string>): Given => ({
  option: (name) => values.get(name) ?? null,
  isSet: (name) => values.has(name),
  required: (name) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`${name} is read as if it were required`)
    return value
  },
})
