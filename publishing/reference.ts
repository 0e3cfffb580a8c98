/**
 * Part of `npm run build`: writes the reference of what the packages export to `docs/api`. It fails where an exported name
 * has no docstring, or an entry point lacks its `@module`. TypeDoc has a compiler of its own, which is older than ours.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryPoints, root } from './packages.ts'

/** What TypeDoc says about a name; a reference leads to the one that it exports again. */
type Reflection = {
  readonly id: number
  readonly name: string
  readonly variant: string
  readonly target?: number
  readonly comment?: { readonly summary: ReadonlyArray<unknown> }
  readonly signatures?: ReadonlyArray<Reflection>
  readonly children?: ReadonlyArray<Reflection>
}

const written = (): Reflection => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-reference-'))
  try {
    const options = join(folder, 'options.json')
    const json = join(folder, 'reference.json')
    writeFileSync(
      options,
      JSON.stringify({
        name: 'Quittance',
        readme: 'none',
        entryPoints: entryPoints().map(({ source }) => join(root, source)),
        tsconfig: join(root, 'tsconfig.build.json'),
        skipErrorChecking: true, // `npm run check` does it, by the compiler that the sources are written for.
        disableSources: true,
        excludeExternals: true,
        treatWarningsAsErrors: true,
        out: join(root, 'docs/api'),
        json,
      }),
    )
    const typedoc = join(root, 'publishing/reference/node_modules/typedoc/bin/typedoc')
    execFileSync(process.execPath, [typedoc, '--options', options, '--logLevel', 'Warn'], { stdio: 'inherit' })
    return JSON.parse(readFileSync(json, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const reference = written()
const modules = reference.children ?? []
const named = modules.flatMap(({ children = [] }) => children)
const byId = new Map(named.map((each) => [each.id, each]))

const isDocumented = (each: Reflection): boolean => {
  const shown = each.variant === 'reference' ? (byId.get(each.target ?? each.id) ?? each) : each
  return [shown, ...(shown.signatures ?? [])].some(({ comment }) => comment !== undefined && comment.summary.length > 0)
}

/** A codec and its type share one name, and one docstring. */
const undocumented = modules.flatMap(({ name, children = [] }) =>
  [...Map.groupBy(children, (each) => each.name)]
    .filter(([, sharing]) => !sharing.some(isDocumented))
    .map(([exported]) => `${exported} of ${name} has no docstring`),
)
const names = new Set(modules.map(({ name }) => name))
const unnamed = entryPoints()
  .filter(({ name }) => !names.has(name))
  .map(({ name, source }) => `${source} does not begin with a docstring that has @module ${name}`)

const problems = [...undocumented, ...unnamed]
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.info(`docs/api: ${named.length} names of ${modules.length} entry points`)
process.exitCode = problems.length === 0 ? 0 : 1
