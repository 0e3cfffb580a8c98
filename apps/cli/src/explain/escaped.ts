const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text that is only itself within HTML, also within quotes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
