import { computed } from '@preact/signals'
import { language } from '../service/settings.ts'
import { de } from './de.ts'
import { en, type Messages } from './en.ts'

const catalogues: Readonly<Record<'en' | 'de', Messages>> = { en, de }

/** The words of the pages in the chosen language. */
export const words = computed(() => catalogues[language.value])
