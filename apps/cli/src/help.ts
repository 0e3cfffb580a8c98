import type { Command as CommanderCommand } from 'commander'
import type { Command } from './command.ts'

/** The words that name a command or a group, such as `key create`. */
export const pathOf = (command: CommanderCommand): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trimStart()

export const describeProgram = (program: CommanderCommand): CommanderCommand =>
  program
    .description('Works on the data directory of a Quittance service, also while it is being served.')
    .option('--json', jsonText)
    .configureHelp({
      visibleCommands: ({ commands }) =>
        commands.flatMap((each) => (isGroup(each) ? each.commands : [each, ...each.commands])),
      subcommandTerm: pathOf,
    })
    .addHelpText('after', `\n${overview}`)

/** A command that only its subcommands can be run of. */
export const isGroup = ({ commands, registeredArguments }: CommanderCommand): boolean =>
  commands.length > 0 && registeredArguments.length === 0

export const describeCommand = (
  leaf: CommanderCommand,
  { name, summary, explanation, argument, options, example }: Command,
): CommanderCommand => {
  const terms = [
    ...(argument === undefined ? [] : [`<${argument.name()}>`]),
    ...options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`)),
    '[--json]',
  ]
  return leaf
    .summary(summary)
    .description(explanation)
    .option('--json', jsonText)
    .usage(terms.join(' '))
    .addHelpText('after', `\n${examplePage(name, example)}`)
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
