import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const secretNames = /\b(withSeed|localSigner|keyPairFromSeed|signerOfSecret|privateKeyOf)\b/

/** The code that may hold the secret of an account, and what for. */
const readers = {
  'packages/billing/src/stores/vault/port.ts': 'names the way by which keys are carried to another vault',
  'packages/billing/src/stores/vault/read-vault.ts':
    'derives the public keys that a verification compares, and wipes each seed',
  'packages/billing/src/stores/vault/seed-signer.ts': 'is the signer that the vault is',
  'packages/billing/src/stores/vault/vault.ts': 'keeps the rows for it',
  'packages/billing/src/stores/vault/provision.ts': 'lends a secret to a sandbox',
  'packages/billing/src/operator/leaving/compose.ts': 'seals the keys of a merchant that leaves for another vault',
  'packages/billing/src/operator/leaving/checked.ts': 'reads those of a merchant that arrives',
  'apps/cli/src/commands/recovery-sign.ts': 'signs offline with the key of a person',
  'apps/cli/src/commands/contract-deploy.ts': 'signs with the key of a person',
  'apps/host/src/sandbox-wallet.ts': 'is the wallet of a customer in the sandbox',
}

it('nothing but the vault reads a seed to sign for the service', async () => {
  const files = globSync(['packages/billing/src/**/*.ts', 'packages/projections/src/**/*.ts', 'apps/*/src/**/*.ts'], {
    cwd: root,
    exclude: (name) => name.endsWith('.test.ts') || /[/\\]testing[/\\]/.test(name),
  })
  expect(files.length).toBeGreaterThan(500)
  const found = []
  for (const file of files.map((each) => each.replaceAll('\\', '/')))
    if (!/\.test\.ts$|\/testing\//.test(file) && secretNames.test(await readFile(`${root}${file}`, 'utf8')))
      found.push(file)
  expect(found.sort()).toEqual(Object.keys(readers).sort())
})
