import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountId } from '@quittance/domain'
import { Keypair, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('quittance recovery', () => {
  let directory: TestDirectory
  beforeEach(async () => {
    directory = testDirectory()
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterEach(() => directory.remove())
  const file = (name: string) => join(directory.path, name)
  const recovery = (...words: ReadonlyArray<string>) => directory.json('recovery', ...words)
  const funded = (account: string) =>
    directory.opened(async ({ sandbox }) => {
      if (!AccountId.is(account) || sandbox === null) throw new Error('no account of a sandbox')
      await sandbox.sandbox.fund({ address: account })()
      sandbox.sandbox.close()
    })
  /** Runs without a data directory or any other setting. */
  const offline = (secret: string, ...words: ReadonlyArray<string>) =>
    runInside({ QUITTANCE_RECOVERY_SECRET: secret }, 'recovery', 'sign', ...words, '--json')

  it('gives an account another key, which a machine without network or settings has signed', async () => {
    const made = await runInside({}, 'recovery', 'create', '--json')
    const key: { public_key: string; secret: string } = JSON.parse(made.stdout)
    const words = ['set', 'settlement', '--signer', key.public_key, '--thresholds', '--wait', '0']
    expect(await directory.refusal('recovery', ...words)).toEqual([1, 'recovery_account_short'])
    await funded(key.public_key)
    await recovery(...words)
    await directory.served()
    const [shown] = JSON.parse((await directory.inside('account', 'show', 'settlement', '--json')).stdout)
    expect(shown.recovery).toEqual({ signer: key.public_key, status: 'done', weight: 2, keeps_signers: true })
    expect((await directory.inside('account', 'show', 'settlement')).stdout).toContain(
      `only the recovery signer ${key.public_key} may change signers`,
    )
    expect(await directory.refusal('account', 'rotate', 'settlement', '--wait', '0')).toEqual([
      1,
      'recovery_key_needed',
    ])

    const [prepared] = JSON.parse(
      (await directory.inside('recovery', 'prepare', 'settlement', '--out', file('prepared.json'), '--json')).stdout,
    )
    expect(prepared).toMatchObject({ account: shown.account, recovery_key: key.public_key })
    const only = await offline(key.secret, '--transaction', file('prepared.json'))
    expect(JSON.parse(only.stdout)).toMatchObject([
      { account: shown.account, to: prepared.to, weight: 1, removed: [shown.account], signed_by: null },
    ])
    const signing = ['--transaction', file('prepared.json'), '--source', 'env', '--out', file('signed.json')]
    expect(JSON.parse((await offline(Keypair.random().secret(), ...signing)).stderr)).toMatchObject({
      code: 'wrong_key',
    })
    expect(JSON.parse((await offline(key.secret, ...signing)).stdout)).toMatchObject([{ signed_by: key.public_key }])
    expect(readFileSync(file('signed.json'), 'utf8')).not.toContain(key.secret)

    const submit = ['recovery', 'submit', 'settlement', '--wait', '0', '--transaction']
    expect(await directory.refusal(...submit, file('prepared.json'))).toEqual([1, 'recovery_transaction_unfit'])
    await directory.json(...submit, file('signed.json'))
    await directory.served()
    expect(await directory.json('account', 'show', 'settlement')).toMatchObject([
      { account: shown.account, signs: prepared.to, proven: true, needed: 1 },
    ])
  })

  it('signs no transaction of another form, unless it is forced to', async () => {
    const key = Keypair.random()
    await funded(key.publicKey())
    await recovery('set', 'settlement', '--signer', key.publicKey(), '--wait', '0')
    await directory.served()
    await recovery('prepare', 'settlement', '--out', file('prepared.json'))
    const [{ network_passphrase, transaction }] = JSON.parse(readFileSync(file('prepared.json'), 'utf8'))
    const builder = TransactionBuilder.cloneFrom(new Transaction(transaction, network_passphrase))
    const stolen = builder
      .addOperation(Operation.accountMerge({ destination: key.publicKey() }))
      .build()
      .toXdr()
    writeFileSync(file('evil.json'), JSON.stringify([{ network_passphrase, transaction: stolen }]))
    const words = ['--transaction', file('evil.json'), '--source', 'env', '--out', file('signed.json')]
    const refused = await offline(key.secret(), ...words)
    expect(JSON.parse(refused.stderr)).toMatchObject({
      code: 'unknown_form',
      error: expect.stringContaining('accountMerge'),
    })
    const forced = await offline(key.secret(), ...words, '--force')
    expect(JSON.parse(forced.stdout)).toEqual([
      { operations: expect.arrayContaining(['accountMerge']), signed_by: key.publicKey() },
    ])
  })

  it.each([
    [
      ['set', 'settlement', '--signer', 'SSECRET'],
      [2, 'usage'],
    ],
    [
      ['prepare', 'settlement', '--out', 'x', '--days', '8'],
      [2, 'usage'],
    ],
    [
      ['prepare', 'settlement', '--out', 'x'],
      [1, 'recovery_signer_missing'],
    ],
    [
      ['sign', '--transaction', 'nothing'],
      [2, 'usage'],
    ],
    [
      ['submit', 'settlement', '--transaction', 'nothing'],
      [2, 'usage'],
    ],
    [
      ['send', '--transaction', 'nothing'],
      [2, 'usage'],
    ],
  ])('refuses %j', async (words, refusal) => {
    expect(await directory.refusal('recovery', ...words)).toEqual(refusal)
  })
})
