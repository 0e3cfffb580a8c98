import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startProcess } from '@quittance/http/testing/child-process'
import { temporaryDirectory } from '@quittance/http/testing/service'

const example = fileURLToPath(new URL('./first-payment.ts', import.meta.url))
const run = promisify(execFile)

/** The lines that the example printed under a name. */
const printed = (output: string, name: string): unknown =>
  JSON.parse(new RegExp(`^${name} +(\\{.*?^\\})`, 'ms').exec(output)?.[1] ?? 'null')

it('the example leads to a confirmed payment and access beside a fresh service', async () => {
  const directory = temporaryDirectory()
  const service = await startProcess(directory.path)
  try {
    // An exit status other than 0 rejects, with the printed text.
    const { stdout } = await run(process.execPath, ['--no-warnings', example], {
      env: { ...process.env, QUITTANCE_DATA_DIR: directory.path },
      timeout: 60_000,
    })
    const payment = printed(stdout, 'payment')
    expect(payment).toMatchObject({ object: 'payment', status: 'confirmed', amount: '13.5 USDC', amount_cents: 1250 })
    const id = expect.stringMatching(/^pay_/)
    expect(payment).toMatchObject({ id })
    expect(printed(stdout, 'access')).toEqual({
      has_access: true,
      grant: { type: 'one_time', payment_id: id },
      expires_at: null,
    })
    expect(await service.stop()).toBe(0)
  } finally {
    await service.kill()
    directory.remove()
  }
})
