import { table } from '../answer.ts'
import type { Command, Option } from '../command.ts'

const statuses = `Exit status:
  0 when it is done, 1 when it was refused or failed, 2 when the command line or the configuration is wrong.`

const jsonText = 'One JSON value on stdout; an error as { "error", "code" } on stderr.'

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')

const listed = (commands: ReadonlyArray<Command>): string =>
  `Commands:\n${indented(table(commands.map(({ name, summary }) => [name, summary])))}`

const written = (name: string, { placeholder }: Option): string =>
  placeholder === null ? `--${name}` : `--${name} <${placeholder}>`

/** Everything about one command. */
export const commandPage = ({ name, explanation, argument, options, example }: Command): string => {
  const usage = [
    'quittance',
    name,
    ...(argument === null ? [] : [`<${argument.name}>`]),
    ...Object.entries(options).map(([name, option]) =>
      option.isRequired ? written(name, option) : `[${written(name, option)}]`,
    ),
    '[--json]',
  ].join(' ')
  const taken = [
    ...(argument === null ? [] : [[`<${argument.name}>`, argument.text]]),
    ...Object.entries(options).map(([name, option]) => [written(name, option), option.text]),
    ['--json', jsonText],
  ]
  return [
    `Usage: ${usage}`,
    explanation,
    `Takes:\n${indented(table(taken))}`,
    `Example:\n${indented(`npx quittance ${name} ${example.words}`.trimEnd())}`,
    `Prints:\n${indented(example.prints)}`,
    `With --json:\n${indented(example.json)}`,
    statuses,
  ].join('\n\n')
}

/** The commands that begin with one word. */
export const groupPage = (group: string, commands: ReadonlyArray<Command>): string =>
  [
    `Usage: quittance ${group} <command>`,
    listed(commands),
    `quittance ${group} <command> --help explains each, with an example.`,
  ].join('\n\n')

/** All commands, and where they work. */
export const overviewPage = (commands: ReadonlyArray<Command>): string =>
  [
    'Usage: quittance <command> [--json]',
    'Works on the data directory of a Quittance service, also while it is being served.',
    listed(commands),
    'quittance <command> --help explains each, with an example.',
    `Example:
  npx quittance merchant create --name "Ada & Co"`,
    `Takes:\n${indented(
      table([
        ['QUITTANCE_DATA_DIR', 'The data directory; ./data unless set. Other variables are those of the service.'],
        ['--json', jsonText],
      ]),
    )}`,
    statuses,
  ].join('\n\n')
