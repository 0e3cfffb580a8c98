import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService } from '@quittance/http/testing/service'

const example = fileURLToPath(new URL('./client.ts', import.meta.url))

it('the example of the client sells a product, grants access, and shows the error of a taken email', async () => {
  const { dataDir, close } = await startService()
  try {
    const env = { ...process.env, QUITTANCE_DATA_DIR: dataDir }
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', example], { env, timeout: 60_000 })
    expect(stdout.split('\n').slice(-5)).toEqual([
      'checkout completed',
      'payment  confirmed 13.5 USDC',
      'access   true',
      'refused  email_taken',
      '',
    ])
  } finally {
    await close()
  }
})
