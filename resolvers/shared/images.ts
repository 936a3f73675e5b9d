/** The URL of an image (served by `src/http/routes/images.ts`). */
export const imageUrl = (publicUrl: string, kind: 'user' | 'product', id: number): string =>
  `${publicUrl}/images/${kind}-${id}.svg`;
