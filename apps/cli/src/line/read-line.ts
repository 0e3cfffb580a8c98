import * as E from 'fp-ts/lib/Either.js'
import type { Command, Given } from '../command.ts'
import { commands } from '../commands/index.ts'
import { type Complaint, misuse } from '../complaint.ts'
import { commandPage, groupPage, overviewPage } from './help.ts'
import { readGiven } from './read-given.ts'

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
    if (isHelp) return help(commandPage(command))
    const given = readGiven(command, words.slice(command.name.split(' ').length))
    return E.map((known: Given): Line => ({ _tag: 'command', command, given: known }))(given)
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
