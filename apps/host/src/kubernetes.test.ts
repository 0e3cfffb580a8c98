import { existsSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configOf, decoded, documentsIn } from './testing/deployed.ts'

const folder = 'deploy/kubernetes'
const { resources, images } = decoded(
  t.type({ resources: t.array(t.string), images: t.array(t.type({ name: t.string })) }),
  documentsIn(`${folder}/kustomization.yaml`)[0],
)
const examples = ['secret.example.yaml', 'ingress.example.yaml']

const Probe = t.type({ httpGet: t.type({ path: t.string, port: t.string }) })
const Labels = t.record(t.string, t.string)
const Container = t.intersection([
  t.type({
    image: t.string,
    args: t.array(t.string),
    envFrom: t.array(t.type({ configMapRef: t.type({ name: t.string }) })),
    resources: t.type({ requests: t.record(t.string, t.string), limits: t.record(t.string, t.string) }),
    securityContext: t.UnknownRecord,
    volumeMounts: t.array(t.type({ name: t.string, mountPath: t.string })),
  }),
  t.partial({
    ports: t.array(t.type({ name: t.string, containerPort: t.number })),
    startupProbe: Probe,
    livenessProbe: Probe,
    readinessProbe: Probe,
  }),
])
const Pod = t.type({
  automountServiceAccountToken: t.boolean,
  terminationGracePeriodSeconds: t.number,
  securityContext: t.UnknownRecord,
  topologySpreadConstraints: t.array(t.type({ topologyKey: t.string })),
  containers: t.tuple([Container]),
  volumes: t.array(t.UnknownRecord),
})
const DeploymentSpec = t.type({
  selector: t.type({ matchLabels: Labels }),
  template: t.type({ metadata: t.type({ labels: Labels }), spec: Pod }),
})
const Manifest = t.type({ kind: t.string, metadata: t.type({ name: t.string }) })

const all = [...resources, ...examples].flatMap((file) => documentsIn(`${folder}/${file}`))
const found = <A>(kind: string, name: string, codec: t.Decoder<unknown, A>): A => {
  const named = all.filter((each) => {
    const { kind: its, metadata } = decoded(Manifest, each)
    return its === kind && metadata.name === name
  })
  expect(named).toHaveLength(1)
  return decoded(codec, named[0])
}
const deployment = (name: string) => found('Deployment', name, t.type({ spec: DeploymentSpec })).spec
const programs = { http: deployment('http'), worker: deployment('worker') }

describe.each(Object.entries(programs))('the pods of %s', (name, { selector, template }) => {
  const { metadata, spec } = template
  const [container] = spec.containers

  it('run a program that exists, of the image that is named in one place', () => {
    expect(images.map((each) => each.name)).toEqual([container.image])
    expect(container.args).toEqual([`apps/${name}/src/main.ts`])
    expect(existsSync(new URL(`../../../${container.args[0]}`, import.meta.url))).toBe(true)
  })

  it('have no rights, and write nowhere but to their volumes', () => {
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(Object.fromEntries(container.volumeMounts.map((each) => [each.name, each.mountPath]))).toEqual({
      data: '/data',
      tmp: '/tmp',
      secrets: '/run/secrets/quittance',
    })
  })

  it('get time to end in order, are spread over machines, and are known by their labels', () => {
    // 10 s before the signal, 20 s for requests that have begun, and as much again.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(50)
    expect(spec.topologySpreadConstraints.map((each) => each.topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ])
    expect(metadata.labels).toEqual({ 'app.kubernetes.io/name': 'quittance', 'app.kubernetes.io/component': name })
    expect(selector.matchLabels).toEqual(metadata.labels)
    const disruption = t.type({
      spec: t.type({ maxUnavailable: t.number, selector: t.type({ matchLabels: Labels }) }),
    })
    expect(found('PodDisruptionBudget', name, disruption).spec).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: metadata.labels },
    })
  })

  it('have bounds of memory', () => {
    expect(container.resources).toEqual({
      requests: { cpu: '500m', memory: '512Mi' },
      limits: { memory: '1536Mi' },
    })
  })
})

describe('the settings of all pods', () => {
  const settings = found('ConfigMap', 'quittance', t.type({ data: t.record(t.string, t.string) })).data

  it('are settings that the service knows', () => {
    const config = configOf(settings)
    if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
    const { publicUrl, masterKey, networks } = config.right
    expect({ publicUrl, masterKey, nodes: networks.mainnet.rpcUrls }).toEqual({
      publicUrl: 'https://pay.example.com',
      masterKey: 'ab'.repeat(32),
      nodes: ['https://one.example/rpc', 'https://two.example/rpc'],
    })
    for (const { template } of Object.values(programs))
      expect(template.spec.containers[0].envFrom).toEqual([{ configMapRef: { name: 'quittance' } }])
  })

  it('name the files of the secret, whose example holds no key', () => {
    const { stringData } = found('Secret', 'quittance', t.type({ stringData: t.record(t.string, t.string) }))
    const files = Object.entries(settings)
      .filter(([name]) => name.endsWith('_FILE'))
      .map(([, path]) => path)
    expect(files).toEqual(Object.keys(stringData).map((key) => `/run/secrets/quittance/${key}`))
    expect(stringData.master_key).toBe('')
  })
})

describe('the probes', () => {
  const container = programs.http.template.spec.containers[0]

  it('ask /health whether the service runs, and /ready whether it gets requests, on the port of callers', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = container
    const asked = (path: string) => ({ httpGet: { path, port: 'http' } })
    expect({ startupProbe, livenessProbe, readinessProbe }).toMatchObject({
      startupProbe: asked('/health'),
      livenessProbe: asked('/health'),
      readinessProbe: asked('/ready'),
    })
    expect(ports).toEqual([
      { name: 'http', containerPort: 3000 },
      { name: 'metrics', containerPort: 9464 },
    ])
  })

  it('ask the worker nothing, which listens on no port', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = programs.worker.template.spec.containers[0]
    expect([startupProbe, livenessProbe, readinessProbe, ports]).toEqual([undefined, undefined, undefined, undefined])
  })
})

it('the service and the scaling name the pods of http, and only its callers’ port', () => {
  const Service = t.type({ spec: t.type({ selector: Labels, ports: t.array(t.type({ targetPort: t.string })) }) })
  const { selector, ports } = found('Service', 'http', Service).spec
  expect({ selector, ports: ports.map((each) => each.targetPort) }).toEqual({
    selector: programs.http.selector.matchLabels,
    ports: ['http'],
  })
  const Scaling = t.type({
    spec: t.type({ scaleTargetRef: t.UnknownRecord, minReplicas: t.number, maxReplicas: t.number }),
  })
  expect(found('HorizontalPodAutoscaler', 'http', Scaling).spec).toEqual({
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'http' },
    minReplicas: 2,
    maxReplicas: 6,
    metrics: expect.anything(),
    behavior: expect.anything(),
  })
})

it('what is not allowed is refused, and only the ingress and Prometheus reach the service', () => {
  const Policy = t.type({ spec: t.UnknownRecord })
  expect(found('NetworkPolicy', 'nothing', Policy).spec).toEqual({
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
  })
  const from = (namespace: string, port: string) => ({
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }],
    ports: [{ port }],
  })
  expect(found('NetworkPolicy', 'incoming', Policy).spec).toEqual({
    podSelector: { matchLabels: programs.http.selector.matchLabels },
    policyTypes: ['Ingress'],
    ingress: [from('ingress-nginx', 'http'), from('monitoring', 'metrics')],
  })
})
