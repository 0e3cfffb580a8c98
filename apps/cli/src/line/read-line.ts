import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import type { Command, Given } from '../command.ts'
import { commands } from '../commands/index.ts'
import { type Complaint, misuse } from '../complaint.ts'
import { commandPage, groupPage, overviewPage } from './help.ts'

/** What a command line asks for. */
export type Line =
  | { readonly _tag: 'help'; readonly page: string }
  | { readonly _tag: 'command'; readonly command: Command; readonly given: Given }

const helpWords = ['--help', '-h']
const everywhere = [...helpWords, '--json']

/** Reads a command line. `--help` and `--json` may stand anywhere on it; other options follow the command. */
export const readLine = (argv: ReadonlyArray<string>): E.Either<Complaint, Line> => {
  const isHelp = argv.some((word) => helpWords.includes(word))
  const words = argv.filter((word) => !everywhere.includes(word))
  const [first, second] = words
  if (first === undefined) return isHelp ? help(overviewPage(commands)) : E.left(noCommand)

  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  if (command !== undefined) {
    return isHelp ? help(commandPage(command)) : readGiven(command, words.slice(command.name.split(' ').length))
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && second === undefined && isHelp) return help(groupPage(first, group))
  return E.left(unknownCommand(first, second, group))
}

const help = (page: string): E.Either<never, Line> => E.right({ _tag: 'help', page })

const namesOf = (some: ReadonlyArray<Command>): string => some.map(({ name }) => name).join(', ')

const noCommand = misuse(`Say what to do. The commands are: ${namesOf(commands)}.`)

const unknownCommand = (first: string, second: string | undefined, group: ReadonlyArray<Command>): Complaint => {
  if (first.startsWith('-')) return misuse(`${first} is no option here: options follow the command.`)
  if (group.length === 0) return misuse(`${first} is no command. The commands are: ${namesOf(commands)}.`)
  const said = second === undefined ? `${first} alone` : `${first} ${second}`
  return misuse(`${said} is no command. There are: ${namesOf(group)}.`, first)
}

const readGiven = (command: Command, args: ReadonlyArray<string>): E.Either<Complaint, Line> => {
  const { name, argument, options } = command
  const wrong = (error: string): E.Either<Complaint, Line> => E.left(misuse(error, name))
  const parsed = E.tryCatch(
    () =>
      parseArgs({
        args: [...args],
        allowPositionals: true,
        options: Object.fromEntries(
          Object.keys(options).map((option) => [option, { type: 'string', multiple: true } as const]),
        ),
      }),
    (cause) => wordsFor(cause, command),
  )
  if (E.isLeft(parsed)) return wrong(parsed.left)

  const values = new Map<string, string>()
  for (const [option, given = []] of Object.entries(parsed.right.values)) {
    const [value = '', ...more] = Array.isArray(given) ? given.map(String) : [String(given)]
    if (more.length > 0) return wrong(`--${option} is given ${more.length + 1} times.`)
    if (value.trim() === '') return wrong(`--${option} is empty.`)
    values.set(option, value)
  }
  const [positional, ...surplus] =
    argument === null ? [undefined, ...parsed.right.positionals] : parsed.right.positionals
  if (surplus.length > 0) return wrong(`${name} does not take ${surplus.join(' ')}.`)
  if (argument !== null && positional !== undefined) values.set(argument.name, positional)

  const missing = [
    ...(argument === null || values.has(argument.name) ? [] : [`<${argument.name}>`]),
    ...Object.entries(options)
      .filter(([option, { isRequired }]) => isRequired && !values.has(option))
      .map(([option, { placeholder }]) => `--${option} <${placeholder}>`),
  ]
  if (missing.length > 0) return wrong(`${name} needs ${missing.join(' and ')}.`)
  return E.right({ _tag: 'command', command, given: givenFrom(values) })
}

const givenFrom = (values: ReadonlyMap<string, string>): Given => ({
  option: (name) => values.get(name) ?? null,
  required: (name) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`${name} is read as if it were required`)
    return value
  },
})

/** What `parseArgs` found, in its own words where they are about values; it says too little about unknown options. */
const wordsFor = (cause: unknown, { name, options }: Command): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const unknown = /^Unknown option '([^']*)'/.exec(message)
  if (unknown === null) return message.replaceAll('\n', ' ')
  const known = [...Object.keys(options), 'json', 'help'].map((option) => `--${option}`).join(', ')
  return `${unknown[1]} is no option of ${name}. There are: ${known}.`
}
