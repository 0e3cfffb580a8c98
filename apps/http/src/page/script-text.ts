import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** The text of a page's script as browsers run it, without types. Bundles of the programs hold these texts instead. */
export const scriptText = (file: string): string => {
  const source = readFileSync(file, 'utf8')
  return file.endsWith('.ts') ? stripTypeScriptTypes(source) : source
}
