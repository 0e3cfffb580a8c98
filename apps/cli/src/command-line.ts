import { Command as CommanderCommand, CommanderError, type Option } from 'commander'
import type { Command, ParsedLine } from './command.ts'
import { commands } from './commands/index.ts'

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
    if (isHelp && (rest.length === 0 || command.commands.length === 0)) command.outputHelp()
    else program.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Where a command is missing, commander would only show the page.
    const text = error.code === 'commander.help' ? 'error: missing command' : error.message
    return { _tag: 'misuse', error: text.replace(/^error: /, ''), path: pathOf(command) }
  }
  return request ?? { _tag: 'help', page: page.trimEnd() }
}

/** The command that the first words call, and the words behind it. */
const commandIn = (
  from: CommanderCommand,
  words: ReadonlyArray<string>,
): readonly [CommanderCommand, ReadonlyArray<string>] => {
  const next = from.commands.find((each) => each.name() === words[0])
  return next === undefined ? [from, words] : commandIn(next, words.slice(1))
}

const pathOf = (command: CommanderCommand): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trimStart()

const programOf = (onCommand: (request: Request) => void, write: (text: string) => void): CommanderCommand => {
  const program = new CommanderCommand('quittance')
    .description('Works on the data directory of a Quittance service, also while it is being served.')
    .option('--json', jsonText)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {}, getOutHelpWidth: () => pageWidth })
    .configureHelp({
      visibleCommands: ({ commands }) => commands.flatMap((each) => (each.commands.length > 0 ? each.commands : each)),
      subcommandTerm: pathOf,
    })
    .addHelpText('after', `\n${overview}`)
  for (const command of commands) {
    const leaf = command.name
      .split(' ')
      .reduce((parent, word) => parent.commands.find((each) => each.name() === word) ?? parent.command(word), program)
    describe(leaf, command).action(() => onCommand({ _tag: 'command', command, line: lineOf(leaf, command) }))
  }
  return program
}

const describe = (leaf: CommanderCommand, { summary, explanation, argument, options, example, name }: Command) => {
  for (const option of options) declare(leaf, option)
  if (argument !== undefined) leaf.addArgument(argument)
  const taken = options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`))
  return leaf
    .summary(summary)
    .description(explanation)
    .option('--json', jsonText)
    .usage([...(argument === undefined ? [] : [`<${argument.name()}>`]), ...taken, '[--json]'].join(' '))
    .addHelpText('after', `\n${examplePage(name, example)}`)
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

const jsonText = 'Prints one JSON value on stdout; an error as { "error", "code" } on stderr.'

const statuses = `Exit status:
  0 when it is done, 1 when it was refused or failed, 2 when the command line or the configuration is wrong.`

const overview = `quittance <command> --help explains each, with an example.

Example:
  npx quittance merchant create --name "Ada & Co"

Environment:
  QUITTANCE_DATA_DIR  The data directory; ./data unless set. Other variables are those of the service.

${statuses}`

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')

const examplePage = (name: string, { words, prints, json }: Command['example']): string =>
  [
    `Example:\n${indented(`npx quittance ${name} ${words}`.trimEnd())}`,
    `Prints:\n${indented(prints)}`,
    `With --json:\n${indented(json)}`,
    statuses,
  ].join('\n\n')
