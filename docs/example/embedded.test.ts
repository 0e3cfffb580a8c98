import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@quittance/http/testing/service'

const example = fileURLToPath(new URL('./embedded.ts', import.meta.url))
const run = promisify(execFile)

it('the example of the embedded core sells without HTTP', async () => {
  const directory = temporaryDirectory()
  try {
    const { stdout } = await run(process.execPath, ['--no-warnings', example, directory.path], { timeout: 60_000 })
    const grant = /"grant":\{"type":"one_time","payment_id":"pay_[0-9A-Za-z]{22}"\}/
    expect(stdout.split('\n')).toEqual([
      'checkout completed',
      'payment  13.5 USDC',
      expect.stringMatching(grant),
      'takings  13.5',
      'rebuilt  takings 1 0',
      '',
    ])
    expect(stdout).toContain('"has_access":true')
  } finally {
    directory.remove()
  }
}, 90_000)
