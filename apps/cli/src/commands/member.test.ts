import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('member', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = onChosenStore()
    merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
  })
  afterAll(() => directory.remove())
  const invite = (email: string, role: string) => ['member', 'invite', '--email', email, '--role', role] as const

  it('invites people by a link, lists them, and removes them', async () => {
    expect(await directory.json('member', 'list')).toEqual([])
    const email = 'ada@example.com'
    expect(await directory.json(...invite(email, 'owner'))).toEqual({
      member_id: expect.stringMatching(/^mem_/),
      email,
      role: 'owner',
      url: expect.stringMatching(/\/dashboard\/join#mem_\w{22}\.[\w-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
    })
    expect(await directory.json('member', 'list')).toEqual([
      {
        id: expect.stringMatching(/^mem_/),
        email,
        name: null,
        role: 'owner',
        status: 'invited',
        has_second_factor: false,
        created_at: expect.stringMatching(/Z$/),
      },
    ])
    expect(await directory.refusal(...invite('ADA@example.com', 'viewer'))).toEqual([1, 'member_email_taken'])
    const listed = (await directory.inside('member', 'list')).stdout
    const [id = ''] = /mem_\w{22}/.exec(listed) ?? []
    expect(await directory.json('member', 'remove', id)).toEqual({ id, removed: true })
    expect((await directory.inside('member', 'list')).stdout).toBe('Nobody is in the team.\n')
    expect((await directory.inside(...invite(email, 'viewer'))).stdout).toMatch(
      /^ada@example\.com is invited as viewer\./,
    )
  })

  it('refuses what is no email, no role and nobody', async () => {
    expect(await directory.refusal(...invite('ada', 'owner'))).toEqual([2, 'usage'])
    expect(await directory.refusal(...invite('bob@example.com', 'king'))).toEqual([2, 'usage'])
    expect(await directory.refusal('member', 'remove', 'mem_nobody')).toEqual([1, 'member_not_found'])
  })
})
