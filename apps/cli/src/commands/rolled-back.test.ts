import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { dataFiles } from '@quittance/host'
import { keyPairFromSeed } from '@quittance/ledger'
import { runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { keyIn, keysIn } from '../testing/shapes.ts'
import { commands } from './index.ts'

const { secret, accountId } = keyPairFromSeed(new Uint8Array(32).fill(78))
const reason = ['--reason', 'why']
const hash = 'ab'.repeat(32)

/** A line of each command that records, makes keys or sends. `KEY` and `POLICY` are filled in. */
const refused: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ['merchant create', '--name', 'Grace'],
  ['merchant setup'],
  ['merchant assets', '--accept', 'native'],
  ['merchant assets', '--default', 'native'],
  ['merchant set', '--policy', 'POLICY'],
  ['merchant destination', '--address', accountId],
  ['merchant payout', '--asset', 'native', '--amount', 'all', '--destination', accountId],
  ['merchant payout', '--cancel', 'po_nobody'],
  ['settlement expect'],
  ['checkpoint'],
  ['checkpoint', '--begin-again', ...reason],
  ['checkpoint', '--rotate-key', ...reason],
  ['evidence', '--payment', 'pay_nobody', '--out', 'NEW'],
  ['settlement declare', '--accounts', accountId],
  ['key create'],
  ['key rotate', 'KEY'],
  ['key revoke', 'KEY'],
  ['merchant close', '--merchant', 'mer_nobody', '--destination', accountId, ...reason],
  ['customer merge', '--from', 'cus_nobody', '--into', 'cus_other', ...reason],
  ['merchant reinstate', '--merchant', 'mer_nobody', ...reason],
  ['merchant export', '--merchant', 'mer_nobody', '--to', 'qd_nobody', '--file', 'NEW', ...reason],
  ['merchant import', '--file', 'SIGNED'],
  ['unfreeze', 'sales', ...reason],
  ['member invite', '--email', 'a@b.example', '--role', 'owner'],
  ['member remove', 'mem_nobody'],
  ['fee collect'],
  ['fee set', '--basis-points', '150', ...reason],
  ['approval approve', 'apr_nobody'],
  ['approval reject', 'apr_nobody'],
  ['screening resolve', 'keep', '--subject', 'rf_nobody', ...reason],
  ['channel create', '--count', '3'],
  ['operator create'],
  ['operator adopt', '--merchant', 'mer_nobody'],
  ['account rotate', 'operator', '--wait', '0'],
  ['recovery set', 'operator', '--signer', accountId, '--wait', '0'],
  ['recovery submit', 'operator', '--transaction', 'SIGNED', '--wait', '0'],
  ['contract deploy', '--source', 'env'],
  ['contract migrate', ...reason],
  ['environment reset', 'testnet', ...reason],
  ['transaction decide', '--transaction', hash, '--as', 'dead', ...reason],
  ['subscription allow', 'sub_0350octnLi7Ud5KSrjAyiq', ...reason],
]

/** A line of each command that goes on, and the code of the error that it has for another cause. */
const allowed: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ['merchant list', 'no error'],
  ['merchant assets', 'no error'],
  ['merchant balance', 'no error'],
  ['merchant payouts', 'no error'],
  ['settlement declare', 'no error'],
  ['settlement funding', 'no error'],
  ['freeze', 'no error', 'charges', ...reason],
  ['fee show', 'no error'],
  ['merchant suspend', 'merchant_not_found', '--merchant', 'mer_nobody', ...reason],
  ['merchant inspect', 'file_altered', '--file', 'SIGNED'],
  ['show', 'no error', 'merchant'],
  ['customer export', 'customer_not_found', 'cus_nobody'],
  ['freezes', 'no error'],
  ['limit set', 'no error', '--amount', '500'],
  ['limit list', 'no error'],
  ['approval list', 'no error'],
  ['screening list', 'no error'],
  ['key list', 'no error'],
  ['member list', 'no error'],
  ['doctor', 'no error'],
  ['verify', 'no error'],
  ['reconcile', 'no error'],
  ['usage', 'no error'],
  ['export journal', 'no error'],
  ['whatif', 'no error', '--policy', 'POLICY', '--from', '2026-01', '--to', '2026-02'],
  ['explain', 'history_not_found', 'pay_0350octnOHjxKc0nvAnxpS'],
  ['rebuild', 'no error', '--compare-only'],
  ['operator show', 'no error'],
  ['account show', 'no error', 'operator'],
  ['recovery create', 'no error'],
  ['recovery prepare', 'account_not_on_ledger', 'operator', '--out', 'NEW'],
  ['recovery sign', 'unknown_form', '--transaction', 'SIGNED'],
  ['recovery send', 'network_not_configured', '--transaction', 'SIGNED'],
  [
    'contract verify',
    'network_not_configured',
    '--contract',
    'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD2KM',
  ],
  ['contract id', 'operator_not_created'],
  ['contract list', 'no error'],
  ['contract migrations', 'no error'],
  ['archive', 'no error'],
  ['transaction list', 'no error'],
  ['subscription list', 'no error'],
  ['ledger compare', 'no error'],
  ['ledger resume', 'ledger_not_closed', '--from', '1000', ...reason],
]

/** `listen` asks a service, which refuses; the others are the way back, and have tests of their own. */
const elsewhere = ['listen', 'copy', 'backup', 'restore', 'restore accept', 'vault rewrap']

describe('commands beside a log that went back', () => {
  let directory: TestDirectory
  let folder: string
  let keyId = ''
  let signed = ''
  let policy = ''
  beforeAll(async () => {
    directory = testDirectory()
    folder = mkdtempSync(join(tmpdir(), 'quittance-rolled-back-'))
    policy = join(folder, 'policy.json')
    writeFileSync(policy, JSON.stringify({ access_grace_days: 3 }))
    signed = join(folder, 'signed.json')
    writeFileSync(signed, JSON.stringify([{ network_passphrase: 'a test', transaction: 'AAAA' }]))
    await directory.json('merchant', 'create', '--name', 'Ada')
    keyId = keysIn(await directory.json('key', 'list'))[0]?.keyId ?? ''
    const backup = join(folder, 'backup')
    await directory.json('backup', backup)
    keyIn(await directory.json('key', 'create'))
    await directory.json('restore', backup, '--force')
  })
  afterAll(() => {
    directory.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (words: ReadonlyArray<string>) => {
    const settings = { QUITTANCE_DATA_DIR: directory.path, QUITTANCE_SOURCE_SECRET: secret }
    const filled = words.map(
      (word) => ({ KEY: keyId, POLICY: policy, SIGNED: signed, NEW: join(folder, 'new.json') })[word] ?? word,
    )
    return runInside(settings, ...filled, '--json')
  }
  const counted = (path: string, table: string) => {
    const database = openDatabase(path, { durability: 'full', readOnly: true })
    try {
      return database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows
    } finally {
      database.close()
    }
  }
  /** Opening the log records once that it went back. */
  const recorded = async () => {
    await directory.opened(() => undefined)
    const { events, vault } = dataFiles(directory.path)
    return [counted(events, 'events'), counted(vault, 'vault')]
  }

  it.each(refused)('%s %s %s refuses in one line, records nothing and makes no key', async (name, ...words) => {
    const before = await recorded()
    const { status, stdout, stderr } = await run([...name.split(' '), ...words])
    expect([status, stdout, JSON.parse(stderr)]).toEqual([
      1,
      '',
      { code: 'log_rolled_back', error: expect.stringMatching(/^[^\n]*quittance restore accept[^\n]*$/) },
    ])
    expect(await recorded()).toEqual(before)
  })

  it.each(allowed)('%s goes on', async (name, code, ...words) => {
    const { stderr } = await run([...name.split(' '), ...words])
    expect(stderr === '' ? 'no error' : JSON.parse(stderr).code).toBe(code)
  })

  it('every command is in one of these lists', () => {
    const listed = [...refused.map(([name]) => name), ...allowed.map(([name]) => name), ...elsewhere]
    expect(commands.map(({ name }) => name).filter((name) => !listed.includes(name))).toEqual([])
  })
})
