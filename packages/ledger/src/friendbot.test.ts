import { createServer } from 'node:net'
import { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { friendbotAt } from './friendbot.ts'
import { named } from './named.ts'
import { nobody, startSandbox } from './testing/sandbox.ts'

const account = named(AccountId, nobody.accountId)

describe('a friendbot', () => {
  it('creates an account, once', async () => {
    const network = await startSandbox()
    const friendbot = friendbotAt(`${network.url}/friendbot`)
    expect(await friendbot(account)()).toEqual(E.right(undefined))
    expect(await network.gateway.accountView(account, [])()).toMatchObject({
      right: { nativeBalance: 100_000_000_000n },
    })
    expect(await friendbot(account)()).toEqual(
      E.left({ _tag: 'FriendbotFailed', reason: expect.stringMatching(/^400 .*createAccountAlreadyExist/) }),
    )
    await network.stop()
  })

  it('fails where nobody listens', async () =>
    expect(await friendbotAt('http://127.0.0.1:1')(account)()).toMatchObject({ left: { _tag: 'FriendbotFailed' } }))

  it('fails where it does not respond in time', async () => {
    const server = createServer((socket) => socket.resume())
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    expect(await friendbotAt(`http://127.0.0.1:${port}`, 50)(account)()).toMatchObject({
      left: { _tag: 'FriendbotFailed' },
    })
    server.close()
  })
})
