import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModuleItem, parseSync } from '@swc/core'

const acts = (item: ModuleItem): boolean => {
  switch (item.type) {
    case 'ImportDeclaration':
      return item.specifiers.length === 0
    case 'ExportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'VariableDeclaration':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return false
    default:
      return true
  }
}

/**
 * Modules whose import does something: they import for the effect alone, or have a statement at the top level that is
 * no declaration. Bundlers drop such modules from packages with `sideEffects: false`. The entry points of threads are
 * not imported and may act.
 */
export const actingModules = (folder: string): ReadonlyArray<string> => {
  const texts = globSync('**/*.js', { cwd: folder }).map(
    (path) => [path, readFileSync(join(folder, path), 'utf8')] as const,
  )
  const threads = texts.flatMap(([, text]) =>
    [...text.matchAll(/new URL\('\.\/([^']+)', import/g)].map(([, name]) => name),
  )
  return texts
    .filter(([path]) => !threads.some((name) => name !== undefined && path.endsWith(`/${name}`)))
    .filter(([, text]) => parseSync(text, { syntax: 'ecmascript', target: 'es2024' }).body.some(acts))
    .map(([path]) => path)
}
