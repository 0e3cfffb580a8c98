import { dayMs, hourMs, minuteMs } from '@quittance/domain'
import { problem } from '../testing/client.ts'
import { memberClient, ownersSession } from '../testing/members.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const machinesClock = Date.now
afterEach(() => {
  Date.now = machinesClock
})
/** Teams go by the machine's clock. */
const later = (ms: number): void => {
  Date.now = () => machinesClock() + ms
}

const ended = { status: 401, body: problem('invalid_session') }
const newSession = async () => memberClient(service, await ownersSession(service))

describe('the session of a member', () => {
  it('lasts 12 hours from its last use', async () => {
    const member = await newSession()
    later(12 * hourMs - minuteMs)
    expect((await member('/session')).status).toBe(200)
    later(24 * hourMs - 3 * minuteMs)
    const { status, body } = await member('/session')
    expect([status, Date.parse(body.data.expires_at) - Date.now()]).toEqual([200, expect.closeTo(12 * hourMs, -4)])
    later(36 * hourMs)
    expect(await member('/session')).toMatchObject(ended)
  })

  it('ends after 7 days, however often it is used', async () => {
    const member = await newSession()
    for (let used = 11 * hourMs; used < 7 * dayMs; used += 11 * hourMs) {
      later(used)
      expect((await member('/session')).status).toBe(200)
    }
    later(7 * dayMs - minuteMs)
    expect((await member('/session')).status).toBe(200)
    later(7 * dayMs)
    expect(await member('/session')).toMatchObject(ended)
  })

  it('allows changes of what its member signs in with for 15 minutes', async () => {
    const member = await newSession()
    const change = { body: { new_password: 'a sentence is a good password' } }
    later(15 * minuteMs)
    expect(await member('/member/password', change)).toMatchObject({ status: 403, body: problem('sign_in_again') })
    later(14 * minuteMs)
    expect((await member('/member/password', change)).status).toBe(200)
  })
})
