import { execFileSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { right } from '@quittance/domain/testing'
import { sampleEvent } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import { rowsOf } from '../sql-program.ts'
import { postgresEventStore } from './store.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
  for (const name of ['server', 'other']) certify(name)
  for (const [setting, file] of [
    ['ssl_cert_file', 'server.crt'],
    ['ssl_key_file', 'server.key'],
  ])
    await cluster.sql(`ALTER SYSTEM SET ${setting} = '${join(cluster.folder, file ?? '')}'`)
  await cluster.sql('ALTER SYSTEM SET ssl = on')
  await cluster.sql('SELECT pg_reload_conf()')
  for (;;) if ((await cluster.sql('SHOW ssl'))[0]?.ssl === 'on') break
})
afterAll(() => cluster.remove())

/** Makes a certificate of 127.0.0.1 that vouches for itself. */
const certify = (name: string): void => {
  const [key, certificate] = [join(cluster.folder, `${name}.key`), join(cluster.folder, `${name}.crt`)]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', [...made, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const { uid, gid } = statSync(cluster.folder)
  chownSync(key, uid, gid)
}

const open = (root: string) =>
  postgresEventStore({
    connectionString:
      `postgres://quittance@127.0.0.1:${cluster.port}/postgres?sslmode=verify-full` +
      `&sslrootcert=${join(cluster.folder, `${root}.crt`)}`,
    schema: cluster.newSchema(),
    clock: Date.now,
    projections: [],
  })

it('a connection is encrypted and checks the certificate of the server, as its string says', async () => {
  const store = await open('server')
  let isEncrypted: unknown
  right(
    await store.append('sample-1', noEvents, [sampleEvent('a')], function* () {
      isEncrypted = (yield* rowsOf('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')())[0]?.ssl
    })(),
  )
  expect(isEncrypted).toBe(true)
  await store.close()
})

it('a server whose certificate nobody vouches for is refused', async () => {
  await expect(open('other')).rejects.toThrow('self-signed certificate')
})
