import { language } from './language.ts'
import type { ScriptMessages } from './messages/en.ts'

/** What scripts say in the language of the document. Only this language is loaded. */
export const words: ScriptMessages =
  language === 'de' ? (await import('./messages/de.ts')).de : (await import('./messages/en.ts')).en
