import { Command as CommanderCommand, CommanderError, type Option } from 'commander'
import type { Command, ParsedLine } from './command.ts'
import { commands } from './commands/index.ts'
import { describeCommand, describeProgram, isGroup, pathOf } from './help.ts'

/** What a command line asks for. */
export type Request =
  | { readonly _tag: 'help'; readonly page: string }
  | { readonly _tag: 'command'; readonly command: Command; readonly line: ParsedLine }
  /** `path` is the command or the group that the line names, such as `key create`. */
  | { readonly _tag: 'misuse'; readonly error: string; readonly path: string }

const helpWords = ['--help', '-h']
const everywhere = [...helpWords, '--json']
const pageWidth = 120

/** Reads a command line. `--help` and `--json` may stand anywhere on it; other options follow the command. */
export const readLine = (argv: ReadonlyArray<string>): Request => {
  const isHelp = argv.some((word) => helpWords.includes(word))
  const words = argv.filter((word) => !everywhere.includes(word))
  let request: Request | null = null
  let page = ''
  const program = programOf(
    (found) => {
      request = found
    },
    (text) => {
      page += text
    },
  )
  const [command, rest] = commandIn(program, words)
  try {
    if (isHelp && (rest.length === 0 || !isGroup(command))) command.outputHelp()
    else program.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Where a command is missing, commander would only show the page.
    const text = error.code === 'commander.help' ? 'error: missing command' : error.message
    return { _tag: 'misuse', error: text.replace(/^error: /, ''), path: pathOf(command) }
  }
  return request ?? { _tag: 'help', page: page.trimEnd() }
}

/** The command that the first words name, and the words after it. */
const commandIn = (
  from: CommanderCommand,
  words: ReadonlyArray<string>,
): readonly [CommanderCommand, ReadonlyArray<string>] => {
  const next = from.commands.find((each) => each.name() === words[0])
  return next === undefined ? [from, words] : commandIn(next, words.slice(1))
}

const programOf = (onCommand: (request: Request) => void, write: (text: string) => void): CommanderCommand => {
  const program = describeProgram(new CommanderCommand('quittance'))
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {}, getOutHelpWidth: () => pageWidth })
  for (const command of commands) {
    // `restore accept --force` is no `--force` of `restore`.
    const child = (parent: CommanderCommand, word: string) =>
      parent.commands.find((each) => each.name() === word) ?? parent.command(word).enablePositionalOptions()
    const leaf = command.name.split(' ').reduce(child, program)
    for (const option of command.options) declare(leaf, option)
    if (command.argument !== undefined) leaf.addArgument(command.argument)
    describeCommand(leaf, command).action(() => onCommand({ _tag: 'command', command, line: lineOf(leaf, command) }))
  }
  return program
}

/** Declares an option that may be given once, and not with an empty value. */
const declare = (leaf: CommanderCommand, option: Option): void => {
  let isGiven = false
  leaf.addOption(option).on(`option:${option.name()}`, (value: string | null | undefined) => {
    if (isGiven) leaf.error(`error: option '${option.flags}' is given twice`)
    if (!option.isBoolean() && (value ?? '').trim() === '') {
      leaf.error(`error: option '${option.flags}' argument missing`)
    }
    isGiven = true
  })
}

const lineOf = (leaf: CommanderCommand, { argument }: Command): ParsedLine => {
  const values = new Map<string, unknown>(
    leaf.options.map((each) => [each.name(), leaf.getOptionValue(each.attributeName())]),
  )
  if (argument !== undefined) {
    if (leaf.args[0]?.trim() === '') leaf.error(`error: missing required argument '${argument.name()}'`)
    values.set(argument.name(), leaf.args[0])
  }
  const option = (name: string): string | null => {
    const value = values.get(name)
    return typeof value === 'string' ? value : null
  }
  return {
    option,
    isSet: (name) => values.get(name) === true,
    required: (name) => {
      const value = option(name)
      if (value === null) throw new Error(`${name} is not declared as mandatory`)
      return value
    },
  }
}
