// A page that is served (andes view) is loaded anew when the runs are others than before.

export function follow(): void {
  if (location.protocol !== 'http:') return;
  let first: string | null = null;
  const look = async () => {
    try {
      const answer = await fetch('state', {cache: 'no-store'});
      const state = answer.ok ? await answer.text() : null;
      if (state !== null && first !== null && state !== first) { location.reload(); return; }
      first ??= state;
    } catch { /* the server has ended: the page stays as it is */ }
    setTimeout(look, 2000);
  };
  void look();
}
