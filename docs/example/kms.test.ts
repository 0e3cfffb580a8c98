import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@quittance/http/testing/service'

const example = fileURLToPath(new URL('./kms.ts', import.meta.url))
const run = promisify(execFile)

it('the example of a KMS makes its keys there, and keeps none', async () => {
  const directory = temporaryDirectory()
  try {
    const { stdout } = await run(process.execPath, ['--no-warnings', example, directory.path], { timeout: 60_000 })
    expect(stdout.split('\n')).toEqual(['made   true', "known  [ 'settlement/testnet/mer_example' ]", 'seeds  0', ''])
  } finally {
    directory.remove()
  }
}, 90_000)
