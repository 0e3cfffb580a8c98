import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@quittance/event-store/sqlite'
import { commands } from './commands/index.ts'
import {
  printed,
  processMs,
  refusalOf,
  runCli,
  runInside,
  type TestDirectory,
  testDirectory,
} from './testing/run-cli.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A text without its line breaks, which depend on the width of the page. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')

describe('the command line', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = testDirectory()
  })
  afterEach(() => directory.remove())

  it('the command line starts by the name of the product', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const file = join(root, bin.quittance)
    accessSync(file, constants.X_OK)
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node')
  })

  it(
    'the help lists every command, and the commands of a group',
    async () => {
      const all = await directory.run('--help')
      expect(
        commands.filter(({ name, summary }) => !all.stdout.includes(name) || !all.stdout.includes(summary)),
      ).toEqual([])
      const keys = await directory.inside('key', '--help')
      expect([all.status, keys.status, keys.stdout.match(/^ {2}\w+ \w+/gm)]).toEqual([
        0,
        0,
        ['  key create', '  key rotate', '  key revoke', '  key list'],
      ])
    },
    processMs,
  )

  it.each(commands)(
    'explains the command $name: its work, an example, its output and the exit status',
    async ({ name, summary, explanation, example, options }) => {
      const help = await directory.inside(...name.split(' '), '--help')
      const page = help.stdout
      const expected = [
        `Usage: quittance ${name}`,
        explanation,
        `npx quittance ${name} ${example.words}`.trimEnd(),
        'Prints:',
        'With --json:',
        'Exit status:',
        ...options.map(({ flags, mandatory }) => (mandatory ? ` ${flags}` : `[${flags}]`)),
      ]
      expect({
        ...help,
        stdout: expected.filter((part) => !onOneLine(page).includes(onOneLine(part))),
        summary: summary.endsWith('.'),
      }).toEqual({
        status: 0,
        stdout: [],
        stderr: '',
        summary: true,
      })
      const short = await directory.inside('-h', ...name.split(' '), '--json')
      expect(JSON.parse(short.stdout)).toEqual({ help: page.trimEnd() })
    },
    processMs,
  )

  it.each([
    { words: [], error: 'missing command', see: '' },
    { words: ['bill'], error: "unknown command 'bill'", see: '' },
    { words: ['bill', '--help'], error: "unknown command 'bill'", see: '' },
    { words: ['key'], error: 'missing command', see: 'key ' },
    { words: ['key', 'make'], error: "unknown command 'make'", see: 'key ' },
    { words: ['key', 'make', '--help'], error: "unknown command 'make'", see: 'key ' },
    { words: ['--merchant', 'key', 'list'], error: "unknown option '--merchant'", see: '' },
    { words: ['key', 'list', '--all'], error: "unknown option '--all'", see: 'key list ' },
    {
      words: ['doctor', 'now'],
      error: "too many arguments for 'doctor'. Expected 0 arguments but got 1: now.",
      see: 'doctor ',
    },
    { words: ['key', 'revoke'], error: "missing required argument 'key_id'", see: 'key revoke ' },
    {
      words: ['key', 'revoke', 'a', 'b'],
      error: "too many arguments for 'revoke'. Expected 1 argument but got 2: a, b.",
      see: 'key revoke ',
    },
    {
      words: ['merchant', 'create'],
      error: "required option '--name <name>' not specified",
      see: 'merchant create ',
    },
    {
      words: ['merchant', 'create', '--name'],
      error: "option '--name <name>' argument missing",
      see: 'merchant create ',
    },
    {
      words: ['merchant', 'create', '--name', '--policy'],
      error: "option '--name <name>' argument missing",
      see: 'merchant create ',
    },
    { words: ['key', 'revoke', ''], error: "missing required argument 'key_id'", see: 'key revoke ' },
    { words: ['key', 'list', '-a'], error: "unknown option '-a'", see: 'key list ' },
    {
      words: ['merchant', 'create', '--name', 'a', '--name', 'b'],
      error: "option '--name <name>' is given twice",
      see: 'merchant create ',
    },
  ])(
    'does nothing for "quittance $words", and names the mistake',
    async ({ words, error, see }) => {
      expect(await directory.inside(...words)).toEqual({
        status: 2,
        stdout: '',
        stderr: `${error}\nSee: quittance ${see}--help\n`,
      })
      expect(await directory.inside('--json', ...words)).toEqual({
        status: 2,
        stdout: '',
        stderr: `${JSON.stringify({ error, code: 'usage' })}\n`,
      })
      expect(readdirSync(directory.path)).toEqual([])
    },
    processMs,
  )

  it(
    'the command line names every problem of the configuration at once',
    async () => {
      const settings = { QUITTANCE_DATA_DIR: directory.path, QUITTANCE_PORT: 'x', QUITTANCE_MASTER_KEY: 'secret' }
      const error = 'QUITTANCE_PORT must be a port from 0 to 65535\nQUITTANCE_MASTER_KEY must be 64 hex digits'
      expect(await runCli(settings, 'merchant', 'list')).toEqual({ status: 2, stdout: '', stderr: `${error}\n` })
      expect(await runInside(settings, 'merchant', 'list', '--json')).toEqual({
        status: 2,
        stdout: '',
        stderr: `${JSON.stringify({ error, code: 'invalid_configuration' })}\n`,
      })
    },
    processMs,
  )

  it(
    'explains why a data directory does not open',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      const settings = { QUITTANCE_DATA_DIR: directory.path, QUITTANCE_MASTER_KEY: 'f'.repeat(64) }
      expect(await runInside(settings, 'merchant', 'list')).toEqual({
        status: 2,
        stdout: '',
        stderr: 'QUITTANCE_MASTER_KEY must be the key that the data directory was written under\n',
      })
    },
    processMs,
  )

  it(
    'says that a locked log cannot be used now',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      const database = openDatabase(join(directory.path, 'quittance.db'), { durability: 'full' })
      database.execute('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
      expect(refusalOf(await directory.run('key', 'list', '--json'))).toEqual([1, 'store_unavailable'])
      database.execute('ROLLBACK')
      database.close()
    },
    processMs,
  )

  it(
    'changes a directory that another process serves, and each sees the changes of the other',
    async () => {
      await directory.opened(async ({ billing, sandbox }) => {
        sandbox?.sandbox.start()
        const made = printed(await directory.run('merchant', 'create', '--name', 'Ada', '--json'))
        const { merchantId, name } = (await billing.merchants.names())[0] ?? { merchantId: null, name: null }
        expect({ made, name }).toEqual({
          made: { merchant_id: merchantId, api_key: expect.stringMatching(/^sk_test_/) },
          name: 'Ada',
        })
        expect(await directory.json('merchant', 'list')).toEqual([{ merchant_id: merchantId, name: 'Ada' }])
      })
    },
    processMs,
  )
})
