import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService } from '@quittance/http/testing/service'

const example = fileURLToPath(new URL('./client-guide.ts', import.meta.url))

it("the code of the client's guide sells a book and a subscription, and cancels it", async () => {
  const { url, facts, close } = await startService()
  try {
    const env = { ...process.env, QUITTANCE_API_URL: url, QUITTANCE_API_KEY: facts.api_key }
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', example], { env, timeout: 60_000 })
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^The customer pays at http:.*\/pay\/chk_\w+$/),
      expect.stringMatching(/^sub_\w+ active$/),
      'canceled true',
      '',
    ])
  } finally {
    await close()
  }
})
