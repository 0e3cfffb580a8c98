import { existsSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configOf, decoded, deployedText, documentsIn } from './testing/deployed.ts'

const Service = t.intersection([
  t.type({
    image: t.string,
    cap_drop: t.array(t.string),
    security_opt: t.array(t.string),
    networks: t.array(t.string),
  }),
  t.partial({
    user: t.string,
    read_only: t.boolean,
    command: t.array(t.string),
    environment: t.record(t.string, t.string),
    secrets: t.array(t.string),
    ports: t.array(t.string),
    profiles: t.array(t.string),
    stop_grace_period: t.string,
    healthcheck: t.UnknownRecord,
    deploy: t.type({ replicas: t.number }),
  }),
])
const Compose = t.type({
  services: t.type({
    http: Service,
    worker: Service,
    proxy: Service,
    kurrentdb: Service,
    postgres: t.intersection([Service, t.type({ volumes: t.array(t.string) })]),
  }),
  networks: t.type({
    front: t.type({ ipam: t.type({ config: t.array(t.type({ subnet: t.string })) }) }),
    store: t.type({ internal: t.boolean }),
  }),
  volumes: t.record(t.string, t.unknown),
  secrets: t.record(t.string, t.type({ file: t.string })),
})

const { services, networks, volumes, secrets } = decoded(Compose, documentsIn('compose.yaml')[0])
const { http, worker, postgres, proxy, kurrentdb } = services
const programs = [http, worker]

/** As Compose puts it in, where nobody sets the variable. */
const interpolated = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')

const variablesOf = ({ environment = {} }: typeof http): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolated(value)]))

describe('the composition of containers', () => {
  it.each([
    ['http', http],
    ['worker', worker],
  ])('gives %s settings that the service knows', (_, program) => {
    const config = configOf(variablesOf(program))
    if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
    const { publicUrl, masterKey } = config.right
    expect({ publicUrl, masterKey }).toEqual({ publicUrl: 'http://localhost', masterKey: 'ab'.repeat(32) })
  })

  it('believes no forwarding header but those of the proxy’s network', () => {
    const [network] = networks.front.ipam.config
    expect(http.environment?.QUITTANCE_TRUSTED_PROXIES).toBe(network?.subnet)
    expect(proxy.networks).toEqual(['front'])
    expect([worker, postgres, kurrentdb].filter((each) => each.networks.includes('front'))).toEqual([])
  })

  it('runs programs that exist, without rights, on a root file system that nobody can write', () => {
    expect(http.command).toBeUndefined()
    expect(existsSync(new URL(`../../../${worker.command?.[0]}`, import.meta.url))).toBe(true)
    for (const { user, read_only, image, stop_grace_period } of programs)
      expect({ user, read_only, image, stop_grace_period }).toEqual({
        user: '1000:1000',
        read_only: true,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose reads it.
        image: 'quittance:${QUITTANCE_IMAGE_TAG:-local}',
        stop_grace_period: '45s',
      })
    expect(postgres).toMatchObject({ user: 'postgres', read_only: true })
    for (const { cap_drop, security_opt } of Object.values(services))
      expect({ cap_drop, security_opt }).toEqual({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  })

  it('runs several processes of the service, and asks the worker nothing, which listens on no port', () => {
    expect(http.deploy?.replicas).toBeGreaterThan(1)
    expect(worker.deploy?.replicas).toBeGreaterThan(0)
    expect([http.healthcheck, worker.healthcheck]).toEqual([undefined, { disable: true }])
  })

  it('keeps the database in a volume with a name, and away from every other network', () => {
    expect(postgres.volumes).toEqual(['postgres:/var/lib/postgresql/data'])
    expect(Object.keys(volumes)).toContain('postgres')
    expect(postgres.networks).toEqual(['store'])
    expect(networks.store.internal).toBe(true)
  })

  it('opens ports at the proxy alone, for this machine alone unless somebody decides', () => {
    expect(Object.values(services).filter(({ ports }) => ports !== undefined)).toEqual([proxy])
    expect(proxy.ports?.map(interpolated)).toEqual(['127.0.0.1:80:80', '127.0.0.1:443:443'])
  })

  it('starts KurrentDB only when its profile is named', () => {
    expect(Object.values(services).filter(({ profiles }) => profiles !== undefined)).toEqual([kurrentdb])
    expect(kurrentdb.profiles).toEqual(['kurrentdb'])
  })

  it('has no secret in itself: each is a file that a script makes, and that neither git nor the image holds', () => {
    const made = [...deployedText('deploy/compose/make-secrets.sh').matchAll(/^make (\w+) /gm)].map(([, name]) => name)
    expect(Object.fromEntries(made.map((name) => [name, { file: `./secrets/${name}` }]))).toEqual(secrets)
    for (const name of programs.flatMap((each) => each.secrets ?? [])) expect(made).toContain(name)
    for (const ignoring of ['.gitignore', '.dockerignore']) {
      const lines = deployedText(ignoring).split('\n')
      expect(lines.map((line) => line.replace(/\/$/, ''))).toEqual(expect.arrayContaining(['secrets', '*.env']))
    }
  })
})
